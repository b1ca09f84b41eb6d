/*
 * A flight as an INI file tells it: planet, vehicle, start, wind and who holds
 * the controls. doc/flight.md lists every key.
 */
#ifndef SIM_FLY_SCENARIO_H
#define SIM_FLY_SCENARIO_H

#define SCENARIO_PATH_MAX 1024

enum scenario_vehicle {
    VEHICLE_F16, /* as NASA's model has it: surfaces and power as set */
    VEHICLE_SPHERE,
    VEHICLE_BRICK,
    VEHICLE_BRICK_DAMPED,
    VEHICLE_F16_PILOTED /* as in a game: control laws, engine lag, fuel */
};

enum scenario_control {
    CONTROL_FIXED,
    CONTROL_AUTOPILOT,
    CONTROL_TRACE
};
enum scenario_trim {
    TRIM_NONE,
    TRIM_LEVEL,
    TRIM_TURN
};
enum scenario_units {
    UNITS_SI,
    UNITS_NESC
};

/* SI units and radians; surfaces in degrees. NAN: not given. */
struct scenario {
    double planet, atmosphere, units; /* places in their lists of words */
    double duration_s, every_s, rate_hz;
    double vehicle; /* NAN: `aircraft` is given instead */
    char aircraft[SCENARIO_PATH_MAX];
    double drag_coefficient, mass_kg, cg_mac, fuel; /* NAN: as in its file */
    double latitude, longitude, altitude;
    double north, east; /* over a flat Earth */
    double velocity_ned[3], velocity_body[3];
    double attitude[3]; /* heading, pitch, bank */
    double rates[3], rates_against;
    double wind[3], shear[3];
    double turbulence, gust, seed;
    double control, trim, turn_rate;
    double elevator, aileron, rudder, power;
    double altitude_step, speed_step, course_step, offset_step, step_at;
    char trace[SCENARIO_PATH_MAX]; /* "": none */
    double circle_latitude, circle_longitude, circle_radius;
};

/*
 * Reads a scenario; every problem goes to stderr as FILE:LINE:COL: error: ...
 * Returns how many there were, or a negative errno when the file cannot be
 * read, which is told too.
 */
int scenario_read(const char *path, struct scenario *out);

#endif
