-- A helicopter's translational shudder, for cues_lua:
--
--     [plugins]
--     cues = flight, lua
--     [cues.lua]
--     file = /etc/hardpoint/cues/shudder.lua
--
-- Between hovering and forward flight, about 8 to 16 m/s, the rotor leaves its
-- own wake, and the airframe shakes. It borrows the feel of stall_buffet; give
-- effects.ini a section [effect.shudder] and change the name for one of its own.

local effect = "stall_buffet"
local from_mps, full_mps, to_mps = 8, 12, 16

-- 0 outside the band, 1 in its middle.
local function share(speed)
    if speed <= from_mps or speed >= to_mps then
        return 0
    end
    if speed < full_mps then
        return (speed - from_mps) / (full_mps - from_mps)
    end
    return (to_mps - speed) / (to_mps - full_mps)
end

function snapshot(tick)
    local speed, height = own("airspeed_mps"), own("agl_m")
    if not speed or (height and height < 1) then
        return -- on the skids nothing shakes
    end
    local level = share(speed)
    if level > 0 then
        hold(effect, level) -- ends by itself once it is not asked for
    end
end
